import { deployReputation } from './deployReputation.ts'
import { compareGas, type GasRow } from './gasRow.ts'
import type { GasMeter } from './openGasMeter.ts'

/** The longest tag that shares its storage slot with its length. */
const SHORT_MAX = 31
const QUICK_LENGTHS = [0, 1, 15, 16, 17, 31]

/**
 * Gas of feedback on the reference with two tags of at most 31 bytes. Each tag takes a slot of its own there.
 *
 * It equals what was measured in each of the 1,024 combinations, as `READING_REFERENCE` was.
 */
function referenceOf(length1: number, length2: number): number {
  return 80_202 + (length1 > 0 ? 20_345 + 12 * length1 : 0) + (length2 > 0 ? 20_337 + 12 * length2 : 0)
}

/**
 * Measures giving feedback with two tags, by a client that has given some before: of every two lengths up to 31 bytes the
 * combination that costs most compared with the reference, and two longer tags.
 *
 * @param isQuick Tries 36 of the 1,024 combinations.
 */
export async function measureTagGas(meter: GasMeter, { isQuick }: { isQuick: boolean }): Promise<GasRow[]> {
  const { give } = await deployReputation(meter, 1)
  const giveTags = (length1: number, length2: number) => give(1n, 'a'.repeat(length1), 'b'.repeat(length2))
  const lengths = isQuick ? QUICK_LENGTHS : Array.from({ length: SHORT_MAX + 1 }, (_, length) => length)
  await giveTags(0, 0)
  const rows: GasRow[] = []
  for (const length1 of lengths) {
    for (const length2 of lengths) {
      const name = `giveFeedback, tags of ${length1} and ${length2} bytes, the dearest of ${(lengths.length ** 2).toLocaleString('en')} combinations`
      rows.push(compareGas(name, referenceOf(length1, length2), await giveTags(length1, length2)))
    }
  }
  const [dearest] = rows.sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0))
  const long = compareGas('giveFeedback, tags of 40 and 40 bytes', 211_480, await giveTags(40, 40))
  return dearest === undefined ? [long] : [dearest, long]
}
