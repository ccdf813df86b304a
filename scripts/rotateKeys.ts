/**
 * Publishes a new key that signs for the registry, or withdraws one: `npm run rotate-keys -- WHAT`, with the settings of the
 * service, which may be running.
 *
 * Exits with 0 if that is done, otherwise with 1 and an error message.
 */
import { readConfig } from '../server/config.ts'
import { parseKeyArguments } from './rotate/parseKeyArguments.ts'
import { rotateStoredKey } from './rotate/rotateStoredKey.ts'

try {
  const { usage, order } = parseKeyArguments(process.argv.slice(2))
  console.log(order ? await rotateStoredKey(readConfig(process.env), { ...order, now: Date.now() }) : usage)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
