import pg from 'pg'
import type { FeatureSet } from '../../../server/config/featureSets.ts'
import { openSequencer } from '../../../server/store/audit/sequencer.postgres.ts'
import { chooseFeatures } from '../../../server/store/database/databaseFeatures.ts'

/**
 * Runs as a child process: gives records their places in small chunks, with a clock that is wrong by so many milliseconds,
 * and kills itself at its nth statement, as soon as it is sent or once it has been answered.
 */
const [url = '', features, nth = '1', phase, offset = '0'] = process.argv.slice(2)
const { now } = Date
Date.now = () => now() + Number(offset)
const die = () => process.kill(process.pid, 'SIGKILL')

const send: (...args: unknown[]) => unknown = pg.Client.prototype.query
let statements = 0
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    const answer = send.apply(this, args)
    statements += 1
    if (statements === Number(nth)) {
      if (phase === 'sent') setImmediate(die)
      else Promise.resolve(answer).then(die, die)
    }
    return answer
  },
})

const { locks } = chooseFeatures(features as FeatureSet)
const sequencer = openSequencer(url, { chunkMax: 3, locks })
for (;;) await sequencer.placeAll()
