x = f(
    # first
    """multi
line""",
    # second
    2)
