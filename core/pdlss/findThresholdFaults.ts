import type { ShapeFault } from '../shape/shape.ts'

const NAMES = ['autonomousThreshold', 'stepUpThreshold', 'approvalThreshold'] as const

/** An owner who writes 500 before 100 has confused two fields; a guess would change a spend limit. */
export function findThresholdFaults(
  limits: {
    readonly [Name in (typeof NAMES)[number]]?: number | undefined
  },
): (ShapeFault & { path: string[] })[] {
  const faults: (ShapeFault & { path: string[] })[] = []
  let highest: { name: string; value: number } | undefined
  for (const name of NAMES) {
    const value = limits[name]
    if (value === undefined) continue
    if (highest !== undefined && value < highest.value) {
      const message = `expected at least ${highest.name}: autonomousThreshold ≤ stepUpThreshold ≤ approvalThreshold`
      faults.push({ code: 'contradictory', path: [name], message })
    }
    if (highest === undefined || value > highest.value) highest = { name, value }
  }
  return faults
}
