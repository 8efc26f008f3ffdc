"""
Everything in turn: attention on the CPU, and on a GPU where there is one, then the generator.

Arguments go to the first part. `python -m benchmarks.scaling`, which builds thousands of pages, is
not among them.
"""

from benchmarks import attention, generators, gpu, translation

attention.main()
print()
gpu.main([])
print()
translation.main()
print()
generators.main([])
