class A:
    def f(self):
        """
        Steps:

        1. one
        2. two

        ```python
        y = f(x)
        ```
        """
