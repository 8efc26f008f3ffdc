def scale(x):
    """Halve the scores.
    Keeps the shape."""
    return x / 2
