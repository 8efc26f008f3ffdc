"""
# Scores

<!-- pylit: anchor the-scores -->
Text about [the shift](#shift), [the scores](#the-scores) and [both](#both).
"""

# pylit: anchor shift
scores = shift(scores)

# Words.
# pylit: anchor both
# More words.
scores = scores + 1
