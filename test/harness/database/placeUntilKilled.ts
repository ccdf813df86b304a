import type { FeatureSet } from '../../../server/config/featureSets.ts'
import { openSequencer } from '../../../server/store/audit/sequencer.postgres.ts'
import { chooseFeatures } from '../../../server/store/database/databaseFeatures.ts'

/** Runs as a child process: gives records their places in small chunks, and is killed before all have one. */
const [url = '', features] = process.argv.slice(2)
const sequencer = openSequencer(url, { chunkMax: 3, locks: chooseFeatures(features as FeatureSet).locks })
process.stdout.write('begun\n')
for (;;) await sequencer.placeAll()
