# pylit: join
x = 1  # pylit: flod
# pylit: end
y = 2  # pylit: break
# pylit: fold
# pylit: hide
# pylit: anchor 1st
# pylit: anchor L12
# pylit: figure
# No picture here.
z = 3
if z:
    z = 4
else:  # pylit: hide
    z = 5
# pylit: code of honour
"""
<!-- pylit: fold -->
"""


def f():
    """
    Words.

    <!-- pylit: break -->
    <!-- pylit: anchor f -->
    <!-- pylit: example -->
    More.
    """
