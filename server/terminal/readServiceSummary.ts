import { readdirSync } from 'node:fs'
import { splitDatabaseUrl } from '../config/splitDatabaseUrl.ts'
import type { Config } from '../config.ts'
import type { ChainOverview } from '../services/chain/readChainOverview.ts'
import type { ServiceSummary } from './serviceSummary.ts'

type Started = {
  config: Config
  version: string
  url: string
  chain: { url(): string | null; overview(): Promise<ChainOverview> }
}

/** Reads what the terminal shows about a started service. It names no secret, but the files that contain one. */
export async function readServiceSummary({ config, version, url, chain }: Started): Promise<ServiceSummary> {
  return {
    version,
    url,
    appUrl: config.appUrl === config.publicUrl ? url : config.appUrl,
    chain: {
      url: originOf(chain.url()),
      isLocal: config.chain.local,
      deployed: await chain.overview().catch(() => null),
    },
    database:
      config.databaseUrl === undefined
        ? config.databaseFile
        : `PostgreSQL at ${splitDatabaseUrl(config.databaseUrl)
            .map(({ name }) => name)
            .join(' or ')}`,
    processes: config.workers,
    dataDir: config.dataDir,
    keyFiles: readdirSync(config.dataDir).filter((name) => /-key(\.json)?$/.test(name)),
    registrationFilesDir: config.registrationFilesDir,
    mailFolder: config.mail.smtpUrl === undefined ? config.mail.folder : null,
  }
}

function originOf(url: string | null): string {
  return url === null ? '' : new URL(url).origin
}
