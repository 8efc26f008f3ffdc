class Block:
    @staticmethod
    @cache
    def size(n: int) -> int:
        """Number of heads."""
        return n
