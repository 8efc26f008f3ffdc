# it ends with '''
print("still code")
