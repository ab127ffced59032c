/**
 * What is done in Redis in one piece. Each script of an owner has its cell and its token as the first two
 * arguments, and does nothing but answer `late` where another owner has a larger token. With `#!lua` a full Redis
 * refuses the whole script, not some command in its middle.
 *
 * - `world:owners`: the token of the last owner of each cell
 * - `world:lease:CELL`: token and address of its owner, until that one is silent
 * - `world:held:CELL`: the record of each unit in its hands
 * - `world:cuts`: the newest cuts, behind their version; `world:loads`: what each cell has to do
 * - `world:places`: `MOVES:CELL` of each unit, how often it has moved and where it is
 */
const OWNED = `#!lua
local cell, token = ARGV[1], ARGV[2]
local last = tonumber(redis.call('HGET', 'world:owners', cell) or '0')
if last > tonumber(token) then return 'late' end
`

/** Where a unit is said to be: moves, cell. */
const PLACE = `
local function place(unit)
  local at = redis.call('HGET', 'world:places', unit)
  if not at then return -1, false end
  local moves, cell = string.match(at, '(%d+):(%d+)')
  return tonumber(moves), cell
end
`

/** How long (ms) a version is that of the world after the store has last heard of an owner that has not given up. */
const VERSION_KEPT = 15_000

/**
 * Arguments: cell, lease (ms), plan, version, address, token of the owner before that has ended, and 1 where the
 * caller knows that there was an owner, which may live and be known again. The token is the time where that is more
 * than the last token, so it grows also when the store has lost everything.
 */
export const CLAIM = `#!lua
local cell, ms, plan, version, address, after, waits = unpack(ARGV)
local key = 'world:lease:' .. cell
local theirs = redis.call('GET', 'world:plan')
if theirs and theirs ~= plan then return { 'plan', theirs } end
local running = redis.call('GET', 'world:version')
if running and running ~= version then return { 'version', running } end
local lease = redis.call('GET', key)
if lease then
  local token, at = string.match(lease, '^(%d+) (.*)$')
  if token ~= after then return { 'held', at } end
end
local now = redis.call('TIME')
local last = tonumber(redis.call('HGET', 'world:owners', cell) or '0')
if waits == '1' and last == 0 then return { 'forgotten', '' } end
local token = string.format('%.0f', math.max(last + 1, now[1] * 1000 + math.floor(now[2] / 1000)))
redis.call('SET', 'world:plan', plan)
redis.call('SET', 'world:version', version, 'PX', ${VERSION_KEPT})
redis.call('HSET', 'world:owners', cell, token)
redis.call('SET', key, token .. ' ' .. address, 'PX', ms)
local first = redis.call('SETNX', 'world:begun:' .. cell, '1')
return { 'owned', token, first, tonumber(redis.call('HGET', 'world:ticks', cell) or '0'), now[1], now[2] }
`

/** Arguments: cell, token, lease (ms; 0 gives the cell up), address, load, version. Returns the time of the store, too. */
export const RENEW = `${OWNED}
local key = 'world:lease:' .. cell
if tonumber(ARGV[3]) == 0 then
  redis.call('DEL', key)
  for _, other in ipairs(redis.call('HKEYS', 'world:owners')) do
    if redis.call('EXISTS', 'world:lease:' .. other) == 1 then return 'ended' end
  end
  redis.call('DEL', 'world:version')
  return 'ended'
end
redis.call('SET', 'world:version', ARGV[6], 'PX', ${VERSION_KEPT})
redis.call('SET', key, token .. ' ' .. ARGV[4], 'PX', ARGV[3])
redis.call('HSET', 'world:loads', cell, ARGV[5])
redis.call('HSET', 'world:owners', cell, token)
return { last == tonumber(token) and 'known' or 'forgotten', unpack(redis.call('TIME')) }
`

/** Arguments: cell, token, number of the step, then unit, moves and record of each. Returns those that others have. */
export const SAVE = `${OWNED}${PLACE}
local taken = {}
for i = 4, #ARGV, 3 do
  local unit, mine = ARGV[i], tonumber(ARGV[i + 1])
  local moves, at = place(unit)
  if moves > mine or (moves == mine and at ~= cell) then
    taken[#taken + 1] = unit
  else
    if at and at ~= cell then redis.call('HDEL', 'world:held:' .. at, unit) end
    if at ~= cell or moves ~= mine then redis.call('HSET', 'world:places', unit, ARGV[i + 1] .. ':' .. cell) end
    redis.call('HSET', 'world:held:' .. cell, unit, ARGV[i + 2])
  end
end
redis.call('HSET', 'world:ticks', cell, ARGV[3])
return taken
`

/**
 * Arguments: cell, token, units. Returns unit, moves and record of each that is there. A record of what another cell
 * has goes: old records that came back were not all of one moment.
 */
export const LOAD = `${OWNED}${PLACE}
local found = {}
for i = 3, #ARGV do
  local unit = ARGV[i]
  local moves, at = place(unit)
  local record = redis.call('HGET', 'world:held:' .. cell, unit)
  if at and at ~= cell then redis.call('HDEL', 'world:held:' .. cell, unit)
  elseif record then found[#found + 1] = { unit, math.max(0, moves), record } end
end
return found
`

/** Arguments: cell, token, to, unit, moves, record, message. Does nothing where the unit is there, or further. */
export const GIVE = `${OWNED}${PLACE}
local to, unit, moves = ARGV[3], ARGV[4], tonumber(ARGV[5])
local known, at = place(unit)
local isThere = known == moves and redis.call('HEXISTS', 'world:held:' .. at, unit) == 1
if known > moves or isThere then return 'taken' end
if at then redis.call('HDEL', 'world:held:' .. at, unit) end
redis.call('HSET', 'world:held:' .. to, unit, ARGV[6])
redis.call('HSET', 'world:places', unit, ARGV[5] .. ':' .. to)
redis.call('PUBLISH', 'world:given:' .. to, ARGV[7])
return 'given'
`

/** Arguments: cell, token, unit. */
export const REMOVE = `${OWNED}${PLACE}
redis.call('HDEL', 'world:held:' .. cell, ARGV[3])
local _, at = place(ARGV[3])
if at == cell then redis.call('HDEL', 'world:places', ARGV[3]) end
return 'removed'
`

/** Arguments: cell, token, version, cuts. */
export const CUT = `${OWNED}
local known = string.match(redis.call('GET', 'world:cuts') or '0', '^%d+')
if tonumber(known) < tonumber(ARGV[3]) then redis.call('SET', 'world:cuts', ARGV[3] .. ' ' .. ARGV[4]) end
return 'cut'
`

/** Arguments: seconds since the epoch of the world. A store that has lost everything gives no number twice. */
export const NEXT = `#!lua
local number = math.max(tonumber(redis.call('GET', 'world:last') or '0') + 1, tonumber(ARGV[1]))
redis.call('SET', 'world:last', string.format('%.0f', number))
return number
`
