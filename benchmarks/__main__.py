"""Everything in turn: the CPU, and a GPU where there is one. Arguments go to the CPU's part."""

from benchmarks import attention, gpu

attention.main()
print()
gpu.main([])
