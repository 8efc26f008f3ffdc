def f():
    a = 1
    # Last words of f

# About g
def g(): ...
