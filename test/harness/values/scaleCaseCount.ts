import { faultMode } from '../faults/faultMode.ts'

/**
 * Scales the number of random cases that a property is tested with: all of them in `npm run test:faults`, a fifth in `npm
 * test`, which draws different ones at every run.
 */
export const scaleCaseCount = (count: number): number => (faultMode === 'none' ? Math.ceil(count / 5) : count)
