import { createPasswordHasher } from '../../../server/external/passwordHasher.ts'

/** The hasher of passwords for next to no work: what it should cost is for its own test to see. */
export const quickPasswordHasher = createPasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 })
