# Both projections are the same layer.
keys = project(x)

# pylit: join
# The queries come from here.
queries = project(x)
# pylit: break
values = project(y)


class Block:
    """A block."""

    # pylit: join
    size: int = 1
    width: int = 2

    def run(self):
        """Run."""
        return self

    # pylit: join
    def stop(self):
        """Stop."""
        return None
