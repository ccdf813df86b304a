-- Lets HAProxy (2.6 or later) ask svc-gate about each request; haproxy.cfg beside this file loads it.

local GATE = "http://127.0.0.1:8081/"

-- As long as the gate may take; with --hold-step-up, raise it above the seconds given there.
local TIMEOUT_MS = 30000

-- What was decided, for the server.
local DECISION = { "x-svc-access-level", "x-svc-recommendation", "x-svc-identity-proof", "x-svc-receipt" }

-- Headers of one connection or of a body, which are not those of the next one.
local OWN = {}
for _, name in ipairs({
  "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect",
  "content-length", "http2-settings",
}) do
  OWN[name] = true
end

-- The request as the gate is asked about it: its headers, with what HAProxy knows of it in place of what the caller claims.
local function describe(txn)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    if not OWN[name] then headers[name] = values end
  end
  local encrypted = txn.f:ssl_fc()
  headers["x-forwarded-method"] = { txn.sf:method() }
  headers["x-forwarded-uri"] = { txn.sf:pathq() }
  headers["x-forwarded-host"] = { txn.sf:req_fhdr("host") }
  headers["x-forwarded-proto"] = { (encrypted == 1 or encrypted == true) and "https" or "http" }
  headers["x-forwarded-for"] = { txn.sf:src() }
  return headers
end

local function refuse(txn, status, headers, body)
  local reply = txn:reply({ status = status, body = body })
  for name, values in pairs(headers) do
    if not OWN[name] then
      for _, value in pairs(values) do reply:add_header(name, value) end
    end
  end
  txn:done(reply)
end

-- Whatever fails in here leaves svc_gate_passes unset, and haproxy.cfg denies such requests.
core.register_action("svc-gate", { "http-req" }, function(txn)
  local answer = core.httpclient():get({ url = GATE, headers = describe(txn), timeout = TIMEOUT_MS })
  if not answer then return end
  if answer.status >= 400 then refuse(txn, answer.status, answer.headers, answer.body) end
  if answer.status ~= 200 then return end
  for _, name in ipairs(DECISION) do
    local values = answer.headers[name]
    if values then txn.http:req_set_header(name, values[0]) end
  end
  txn:set_var("txn.svc_gate_passes", true)
end)
