"""# Masks"""

import torch
import torch.testing  # noqa: F401  # pylit: hide

# What stays.
mask = torch.ones(4)


# pylit: hide
@torch.no_grad()
def check():
    """Nobody reads this docstring."""
    # Nor this comment.
    assert mask[0] == 1


# pylit: end
class Mask:
    """Seen."""

    def secret(self):  # pylit: hide
        """Not seen."""
        return check()

    def shown(self):
        return mask
