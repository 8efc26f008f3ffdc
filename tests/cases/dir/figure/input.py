"""
<!-- pylit: figure -->
![A black square](square.svg)
The square of *side* $a$
has the area $a^2$.
"""

# pylit: figure
# ![Another square](square.svg)
x = 1
