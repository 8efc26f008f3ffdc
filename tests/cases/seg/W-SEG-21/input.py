# First
#
# * item
#     * nested
#
# Text
#
#     indented code
x = 1
