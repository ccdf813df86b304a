/**
 * Publishes a new key that signs for the registry, or withdraws one: `npm run rotate-keys -- WHAT`, with the settings of the
 * service, which may be running.
 *
 * Exits with 0 if that is done, otherwise with 1 and an error message.
 */
import { parseKeyArguments } from './rotate/parseKeyArguments.ts'
import { rotateStoredKey } from './rotate/rotateStoredKey.ts'
import { runOperation } from './runOperation.ts'

await runOperation(async (settings) => {
  const { usage, order } = parseKeyArguments(process.argv.slice(2))
  console.log(order ? await rotateStoredKey(settings(), { ...order, now: Date.now() }) : usage)
})
