import { openSequencer } from '../../../server/store/audit/sequencer.postgres.ts'

/** Runs as a child process: gives records their places in small chunks, and is killed before all have one. */
const [url = ''] = process.argv.slice(2)
const sequencer = openSequencer(url, 3)
process.stdout.write('begun\n')
for (;;) await sequencer.placeAll()
