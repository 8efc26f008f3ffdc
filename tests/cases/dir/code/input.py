# The heads are split before they are scaled.
x = split(x)
# pylit: code
# x = old_scale(x) * w_a * w_b
# TODO: __ask__
x = scale(x)

# pylit: code
# Alone, and code as well.

# Prose again.
y = x
