import type { GasRow } from './gas/gasRow.ts'
import { measureAuditGas } from './gas/measureAuditGas.ts'
import { measureIdentityGas } from './gas/measureIdentityGas.ts'
import { measureReadingGas } from './gas/measureReadingGas.ts'
import { measureReputationGas } from './gas/measureReputationGas.ts'
import { measureTagGas } from './gas/measureTagGas.ts'
import { measureValidationGas } from './gas/measureValidationGas.ts'
import { openGasMeter } from './gas/openGasMeter.ts'

/**
 * Measures the gas of our contracts next to that of their references, on an in-process chain.
 *
 * Figures are exact and the same in every run, except for the zero bytes of signatures.
 *
 * @param isQuick Leaves out the sizes and tags that take a minute.
 * Source: docs/performance.md.
 */
export async function measureGas({ isQuick }: { isQuick: boolean }): Promise<GasRow[]> {
  const meter = await openGasMeter()
  try {
    return [
      ...(await measureIdentityGas(meter)),
      ...(await measureReputationGas(meter)),
      ...(await measureTagGas(meter, { isQuick })),
      ...(await measureReadingGas(meter, { isQuick })),
      ...(await measureValidationGas(meter)),
      ...(await measureAuditGas(meter)),
    ]
  } finally {
    await meter.close()
  }
}

if (import.meta.main) {
  console.table(
    (await measureGas({ isQuick: false })).map(({ ours, ratio, ...row }) => ({
      ...row,
      ours: Math.round(ours * 10) / 10,
      ratio: ratio?.toPrecision(3),
    })),
    ['name', 'ours', 'reference', 'ratio', 'unit'],
  )
}
