import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleCommand } from './client/bundleCommand.ts'

/** Builds `svc-gate`, with the code of the client and of core. */
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const folder = values.out ?? join(import.meta.dirname, '../gate/dist/package')
await bundleCommand(
  {
    ...{ workspace: 'gate', command: 'svc-gate', uses: ['core', 'client'], adds: ['examples'] },
    // `undici` needs it.
    node: '>=22.19',
  },
  folder,
)
