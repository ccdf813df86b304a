import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleCommand } from './client/bundleCommand.ts'

/** Builds `svc`, with the code of the client, of core and of the chain's readers. */
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const folder = values.out ?? join(import.meta.dirname, '../cli/dist/package')
await bundleCommand({ workspace: 'cli', command: 'svc', uses: ['core', 'client'] }, folder)
