template = """
# not a heading
value: 3
"""
y = 1  # keep me here
