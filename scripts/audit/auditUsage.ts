/** What the tool says of itself. */
export const AUDIT_USAGE = `Checks an audit log against the chain, trusting nothing of the service that wrote it.

  npm run verify-audit -- --rpc URL --log ID [--contract ADDRESS] [WHAT] [--log-key KEY] [--json]

  --rpc URL           JSON-RPC address of a node you trust
  --log ID            id of the audit log: 0x and 64 hexadecimal digits
  --contract ADDRESS  address of the AuditLog contract, as you know it independently of the proof

One record:
  --record FILE|URL   a proof: the answer of GET /api/audit/records/:id/proof, JSON or tlog-proof text

An export:
  --export FILE       the JSON Lines of GET /api/audit/export
  --range FIRST-LAST  numbers that all have to be in it; FIRST- means up to the newest anchored record

That the log only grew between two points in time:
  --from-batch A | --from FILE|URL   the earlier point: a batch, or what you kept of that time: a proof, a checkpoint,
                                     an answer of GET /api/audit/batches/:number, or what --json printed
  --to-batch B | --to FILE|URL       the later point; the head of the log if left out
  --registry URL | --consistency FILE|URL
                      where the proof between them comes from: the service's address, or a kept answer of
                      GET /api/audit/consistency, which alone names both points

  --log-key KEY       key that checkpoints have to be signed with (verifierKey of GET /api/audit/key)
  --json              one JSON object instead of lines

Without any of these it shows where the log stands (then --contract is needed).

Ends with 0 when everything is proven, with 1 when something is not, with 2 when it could not be checked: called
wrongly, a file that cannot be read, a node or a service that does not answer.`
