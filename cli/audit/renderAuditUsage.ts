/** Renders the tool's usage text. @param command How it was called. */
export function renderAuditUsage(command: string): string {
  return `Checks an audit log against the chain, without trusting the service that wrote it.

  ${command} --rpc URL --log ID [--contract ADDRESS] [WHAT] [--log-key KEY] [--json]

  --rpc URL           JSON-RPC URL of a node you trust
  --log ID            id of the audit log: 0x and 64 hexadecimal digits
  --contract ADDRESS  address of the AuditLog contract, from a source other than the proof

  --mirror-of ID      the log is a mirror, on another chain, of the log with this id; requires --contract. With --registry URL,
                      the service proves that a head of the mirror extends the root of an earlier proof

One record:
  --record FILE|URL   a proof: the response of GET /api/audit/records/:id/proof, JSON or tlog-proof text

One verdict:
  --receipt FILE|URL  a receipt with its proof: the response of GET /api/audit/records/:id/receipt
  --issuer URL        the service that must have issued it, and receipts in an export or an archive
  --issuer-keys FILE|URL  its keys: a saved response of GET /.well-known/jwks.json; by default they are fetched from --issuer

An export:
  --export FILE       the JSON Lines of GET /api/audit/export, of any size, or an archive
  --received FILE     identifiers of records that must be in it, one a line, such as those of every response that you got
  --range FIRST-LAST  record numbers that must all be in it; FIRST- means up to the newest anchored record

Consistency, which means that the log was only appended to between two points in time:
  --from-batch A | --from FILE|URL   the earlier point: a batch, or a document saved at that time: a proof, a checkpoint,
                                     a response of GET /api/audit/batches/:number, or the output of --json
  --to-batch B | --to FILE|URL       the later point; the head of the log by default
  --registry URL | --consistency FILE|URL
                      where the consistency proof comes from: the URL of the service, or a saved response of
                      GET /api/audit/consistency, which names both points, so --from and --to can be left out

  --log-key KEY       key that must have signed the checkpoints (verifierKey of GET /api/audit/key)
  --handovers FILE|URL  also accepts the keys that it has handed over to: a saved response of GET /api/audit/key, or its URL
  --json              prints one JSON object instead of lines

Without any of these, it shows the head of the log (this requires --contract).

The report marks with "?" what was not checked, and "PROVEN" excepts it. An entry dated more than a minute after the block
that anchored it is a fault, and so is a record with two numbers. Documents have at most 1 MiB (a consistency proof 64 KiB),
and a line of an export 4 Mi characters. A URL must respond completely within 10 seconds, and is not redirected.

Exits with 0 if everything that was checked is proven, with 1 if something is not, and with 2 if the check could not be done:
wrong arguments, an unreadable file, or a node or service that does not respond.`
}
