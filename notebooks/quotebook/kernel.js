require('../../dist/lib/notebook-kernel.cjs')
