import { createPasswordHasher } from '../../../server/external/passwordHasher.ts'

/** A password hasher with minimal cost; the real cost is tested with the hasher itself. */
export const quickPasswordHasher = createPasswordHasher({ memoryCost: 64, timeCost: 1, parallelism: 1 })
