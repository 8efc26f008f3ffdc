"""
# T

Text
"""
# note
x = 1
