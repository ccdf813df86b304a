import type { Logger } from '../../external/telemetry/logger.ts'
import { CONTRACT_SETTINGS } from '../../services/chain/contractSettings.ts'
import type { ProcessSettings, ProcessSettingsStore } from '../../store/database/processSettingsStore.ts'
import type { SecretsKeyStore } from '../../store/secrets/secretsKeyStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'

const PAUSE_MS = 10_000

export type CompareProcessSettingsDeps = {
  store: ProcessSettingsStore
  /** Identifies this process among all others. */
  process: string
  /** Reads the settings of this process; contracts may become known later. */
  settings: () => Promise<ProcessSettings>
  /** Id of the key with which this process encrypts secrets. */
  secretsKey: string
  usedKeys: Pick<SecretsKeyStore, 'add'>
  log: Pick<Logger, 'warn'>
}

export type ComparedSettings = {
  /** How the settings of running processes differ, for the operator; null if they do not. */
  fault(): string | null
  stop(): Promise<void>
}

/**
 * Compares the settings of this process with those of all others that run, now and every ten seconds, and warns when they
 * begin to differ. It also shows with which key this process encrypts, so that the key is not forgotten meanwhile.
 */
export function compareProcessSettings({
  store,
  process,
  settings,
  secretsKey,
  usedKeys,
  log,
}: CompareProcessSettingsDeps): ComparedSettings {
  let fault: string | null = null
  const worker = createRoundsWorker({
    failing: 'the settings of this process cannot be compared with those of others',
    pauseMs: PAUSE_MS,
    async round() {
      await store.show(process, await settings(), secretsKey)
      // It may have been forgotten while this process could not show itself; without it, the next start must fail.
      await usedKeys.add(secretsKey)
      const found = describeDifference(await store.live())
      if (found !== null && found !== fault) log.warn({}, found)
      fault = found
      return 0
    },
    log: { error: (fields, message) => log.warn(fields, message) },
  })
  worker.start()
  return {
    fault: () => fault,
    async stop() {
      await worker.stop()
      // The others would otherwise count this process for half a minute more; a lost database tells them, too.
      await store.remove(process).catch(() => undefined)
    },
  }
}

function describeDifference(live: readonly ProcessSettings[]): string | null {
  const valuesOf = (name: string) => new Set(live.flatMap(({ contracts }) => contracts[name] ?? []))
  const compared = [
    ['PUBLIC_URL', new Set(live.map(({ publicUrl }) => publicUrl))],
    ['AUDIT_LOGS', new Set(live.map(({ auditLogs }) => auditLogs))],
    ...CONTRACT_SETTINGS.map(([name]) => [name, valuesOf(name)] as const),
  ] as const
  const found = compared
    .filter(([, values]) => values.size > 1)
    .map(([name, values]) => `${name} (${[...values].join(', ')})`)
  if (found.length === 0) return null
  return `processes of this database run with different values of ${found.join(' and ')}: give all of them the same`
}
