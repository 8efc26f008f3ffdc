def f():
    '''Quoted with apostrophes.'''
def g():
    "Short form."
