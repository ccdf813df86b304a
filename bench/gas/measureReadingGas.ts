import type { Address } from 'viem'
import { deployReputation } from './deployReputation.ts'
import { compareGas, type GasRow } from './gasRow.ts'
import type { GasMeter } from './openGasMeter.ts'
import { READING_REFERENCE } from './readingReference.ts'

/** What reading may cost compared with the reference, which does not look for repeated clients. */
const MAX_RATIO = 1.1

const QUICK_SIZES = { clients: [50, 200], feedbacks: [100, 400] }

/**
 * Measures reading the feedback of many clients, in no order, and much feedback of one client.
 *
 * @param isQuick Leaves out the sizes above 200 and 400, which take a minute.
 */
export async function measureReadingGas(
  meter: GasMeter,
  { isQuick }: { isQuick: boolean },
): Promise<GasRow[]> {
  const { clients: ofClients, feedbacks: ofFeedbacks } = READING_REFERENCE
  const sizes = isQuick
    ? QUICK_SIZES
    : { clients: Object.keys(ofClients).map(Number), feedbacks: Object.keys(ofFeedbacks).map(Number) }
  const { registry, give } = await deployReputation(meter, 2)
  const clients = await meter.openAccounts(Math.max(...sizes.clients))
  const read = (view: string, agentId: bigint, list: readonly Address[], tag: string) => {
    const more = view === 'readAllFeedback' ? [false] : []
    return meter.viewGasOf(registry, view, [agentId, list, tag, '', ...more])
  }
  const rows: GasRow[] = []
  const measure = async (what: string, reference: Reference, agentId: bigint, list: readonly Address[]) => {
    for (const [view, [plain, filtered]] of Object.entries(reference)) {
      const [ours, oursFiltered] = [
        await read(view, agentId, list, ''),
        await read(view, agentId, list, 'quality'),
      ]
      rows.push(compareGas(`${view}, ${what}`, plain, ours, MAX_RATIO))
      rows.push(compareGas(`${view}, ${what}, one tag`, filtered, oursFiltered, MAX_RATIO))
    }
  }
  let given = 0
  for (const size of sizes.clients) {
    for (; given < size; given += 1) await give(1n, 'quality', 'response time', clients[given])
    const reference: Reference = ofClients[size as keyof typeof ofClients]
    await measure(`${size.toLocaleString('en')} clients in no order`, reference, 1n, clients.slice(0, size))
  }
  given = 0
  for (const size of sizes.feedbacks) {
    for (; given < size; given += 1) await give(2n, 'quality', 'response time', clients[0])
    const reference: Reference = ofFeedbacks[size as keyof typeof ofFeedbacks]
    await measure(`${size.toLocaleString('en')} feedbacks of a client`, reference, 2n, clients.slice(0, 1))
  }
  return rows
}

/** The gas of each view without and with a filter. */
type Reference = Readonly<Record<string, readonly [plain: number, filtered: number]>>
