/** What a person wants to know about a service that has just started. */
export type ServiceSummary = {
  version: string
  url: string
  /** The address of the dashboard. */
  appUrl: string
  chain: {
    /** Without credentials, path and query, which may contain a provider's key. */
    url: string
    isLocal: boolean
    /** Null while the chain is unreachable, or the contracts are not deployed. */
    deployed: { chainId: number; contracts: Record<string, string | null>; logId: string } | null
  }
  /** The file, or the host of the server. */
  database: string
  processes: number
  dataDir: string
  /** Names of the generated key files in the data folder. */
  keyFiles: string[]
  registrationFilesDir: string
  /** Folder of the mails; null if a mail server sends them. */
  mailFolder: string | null
}
