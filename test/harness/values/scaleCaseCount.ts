import { faultMode } from '../faults/faultMode.ts'

/**
 * How many random cases a property is held to: all `count` in `npm run test:faults`, a fifth of them in `npm test`,
 * which draws others at every run.
 */
export const scaleCaseCount = (count: number): number => (faultMode === 'none' ? Math.ceil(count / 5) : count)
