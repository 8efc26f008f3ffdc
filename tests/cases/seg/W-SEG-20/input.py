total = (a +
         # middle term
         b)
path = "one" \
       "two"
