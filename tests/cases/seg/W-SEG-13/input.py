# # Title
x = 1
