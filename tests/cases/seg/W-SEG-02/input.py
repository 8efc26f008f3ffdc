def f():
    """One line."""
    # A note
    return 1
