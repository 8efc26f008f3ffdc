# x = old_layer(x) * w_a * w_b
# return __x__
x = new_layer(x)
