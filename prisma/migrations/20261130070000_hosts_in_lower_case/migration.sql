-- Hosts are written in lower case from this version on. What older ones stored with capitals follows, or a node that is known by its host only would be
-- made a second time when it sends next.
--
-- Doubles stay as they are. Of nodes known by host only that differ in case alone one is lowered, the one that is lower already or was seen last: that is
-- where new readings go, and the others keep their names and their past. The same holds of their ports, switches and series. A node with a machine id is
-- never such a double: once it tells its machine id again it takes over the one that is known by its host only.
-- A finding that was open goes on under its old name, which is part of its id, and is closed as unread a day later.
-- (Prisma's adapter cuts a script at each semicolon: none may stand in a comment.)

-- A node that has told no host is called by its machine id, which has the case that it has.
WITH kept AS (
  SELECT DISTINCT ON (lower(host)) id FROM fleet_node WHERE machine_id IS NULL ORDER BY lower(host), host = lower(host) DESC, last_seen_ms DESC, id DESC
)
UPDATE fleet_node SET host = lower(host)
WHERE host <> lower(host) AND host IS DISTINCT FROM machine_id AND (machine_id IS NOT NULL OR id IN (SELECT id FROM kept));

-- Names over time. Only nodes that stay as they are still have capitals.
UPDATE fleet_attribute a SET value = lower(a.value) FROM fleet_node n
WHERE a.kind = 'node' AND a.name = 'host' AND a.key = 'node:' || n.id AND a.value <> lower(a.value) AND (n.machine_id IS NOT NULL OR n.host = lower(n.host));

-- A host that two sources spelt differently was renamed with each word: ranges of one name that follow on each other are one.
WITH told AS (
  SELECT id, key, from_ms, to_ms, CASE WHEN lag(value) OVER w = value AND lag(to_ms) OVER w = from_ms THEN 0 ELSE 1 END AS begins
  FROM fleet_attribute WHERE kind = 'node' AND name = 'host' WINDOW w AS (PARTITION BY key ORDER BY from_ms, id)
), parts AS (
  SELECT id, key, from_ms, to_ms, sum(begins) OVER (PARTITION BY key ORDER BY from_ms, id) AS part FROM told
), wholes AS (
  SELECT key, part, (array_agg(id ORDER BY from_ms, id))[1] AS first_id, (array_agg(to_ms ORDER BY from_ms DESC, id DESC))[1] AS to_ms
  FROM parts GROUP BY key, part HAVING count(*) > 1
), gone AS (
  DELETE FROM fleet_attribute a USING parts p JOIN wholes w ON w.key = p.key AND w.part = p.part WHERE a.id = p.id AND p.id <> w.first_id
)
UPDATE fleet_attribute a SET to_ms = w.to_ms FROM wholes w WHERE a.id = w.first_id;

-- Keys of what sits on a node that is known by its host only: `name:<host>/port/mlx5_0:1`.
WITH named AS (
  SELECT id, kind, last_seen_ms, lower(split_part(key, '/', 1)) || substr(key, length(split_part(key, '/', 1)) + 1) AS lowered
  FROM fleet_entity WHERE key LIKE 'name:%' AND split_part(key, '/', 1) <> lower(split_part(key, '/', 1))
), kept AS (
  SELECT DISTINCT ON (n.kind, n.lowered) n.id, n.lowered FROM named n
  WHERE NOT EXISTS (SELECT 1 FROM fleet_entity o WHERE o.kind = n.kind AND o.key = n.lowered) ORDER BY n.kind, n.lowered, n.last_seen_ms DESC, n.id DESC
)
UPDATE fleet_entity e SET key = k.lowered FROM kept k WHERE e.id = k.id;

UPDATE fleet_attribute a SET key = lower(split_part(a.key, '/', 1)) || substr(a.key, length(split_part(a.key, '/', 1)) + 1)
WHERE a.key LIKE 'name:%' AND split_part(a.key, '/', 1) <> lower(split_part(a.key, '/', 1))
  AND NOT EXISTS (SELECT 1 FROM fleet_entity o WHERE o.kind = a.kind AND o.key = a.key);

UPDATE fleet_event e SET entity_key = lower(split_part(e.entity_key, '/', 1)) || substr(e.entity_key, length(split_part(e.entity_key, '/', 1)) + 1)
WHERE e.entity_key LIKE 'name:%' AND split_part(e.entity_key, '/', 1) <> lower(split_part(e.entity_key, '/', 1))
  AND NOT EXISTS (SELECT 1 FROM fleet_entity o WHERE o.kind = e.entity_kind AND o.key = e.entity_key);

WITH named AS (
  SELECT key, metric, at_ms, lower(split_part(key, '/', 1)) || substr(key, length(split_part(key, '/', 1)) + 1) AS lowered
  FROM fleet_last_event WHERE key LIKE 'name:%' AND split_part(key, '/', 1) <> lower(split_part(key, '/', 1))
), kept AS (
  SELECT DISTINCT ON (n.lowered, n.metric) n.key, n.metric, n.lowered FROM named n
  WHERE NOT EXISTS (SELECT 1 FROM fleet_last_event o WHERE o.key = n.lowered AND o.metric = n.metric) ORDER BY n.lowered, n.metric, n.at_ms DESC, n.key
)
UPDATE fleet_last_event e SET key = k.lowered FROM kept k WHERE e.key = k.key AND e.metric = k.metric;

-- A series is found by the hash of its identity as core writes it: JSON of metric, kind, id and labels by name. Where we cannot write it as it was written,
-- by its hash, it stays.
WITH named AS (
  SELECT s.group_id, s.slot, s.key, s.created_ms, i.lowered,
    sha256(convert_to(i.before_id || to_json(s.entity_id)::text || i.after_id, 'UTF8')) AS known_key,
    sha256(convert_to(i.before_id || to_json(i.lowered)::text || i.after_id, 'UTF8')) AS lowered_key
  FROM samples.fleet_series s CROSS JOIN LATERAL (
    SELECT lower(split_part(s.entity_id, '/', 1)) || substr(s.entity_id, length(split_part(s.entity_id, '/', 1)) + 1) AS lowered,
      '[' || to_json(s.metric)::text || ',' || to_json(s.entity_kind)::text || ',' AS before_id,
      ',[' || coalesce(string_agg('[' || to_json(l.name)::text || ',' || to_json(l.value)::text || ']', ',' ORDER BY l.name COLLATE "C"), '') || ']]' AS after_id
    FROM jsonb_each_text(s.labels) AS l (name, value)
  ) i
  WHERE s.entity_id LIKE 'name:%' AND split_part(s.entity_id, '/', 1) <> lower(split_part(s.entity_id, '/', 1))
), kept AS (
  SELECT DISTINCT ON (n.lowered_key) n.group_id, n.slot, n.lowered, n.lowered_key FROM named n
  WHERE n.key = n.known_key AND NOT EXISTS (SELECT 1 FROM samples.fleet_series o WHERE o.key = n.lowered_key)
  ORDER BY n.lowered_key, n.created_ms DESC, n.group_id DESC, n.slot DESC
)
UPDATE samples.fleet_series s SET entity_id = k.lowered, key = k.lowered_key FROM kept k WHERE s.group_id = k.group_id AND s.slot = k.slot;

UPDATE samples.fleet_group SET target = left(target, strpos(target, '|name:')) || lower(substr(target, strpos(target, '|name:') + 1))
WHERE target LIKE '%|name:%';

-- What was found about them, so that their pages show it.
UPDATE finding f SET body = jsonb_set(f.body, '{subject,id}', to_jsonb(
  lower(split_part(f.body->'subject'->>'id', '/', 1)) || substr(f.body->'subject'->>'id', length(split_part(f.body->'subject'->>'id', '/', 1)) + 1)))
WHERE f.body->'subject'->>'kind' IN ('node', 'port', 'switch') AND f.body->'subject'->>'id' LIKE 'name:%'
  AND split_part(f.body->'subject'->>'id', '/', 1) <> lower(split_part(f.body->'subject'->>'id', '/', 1))
  AND NOT EXISTS (SELECT 1 FROM fleet_node n WHERE n.machine_id IS NULL AND 'name:' || n.host = split_part(f.body->'subject'->>'id', '/', 1));

UPDATE finding f SET body = jsonb_set(f.body, '{place,nodeId}', to_jsonb(lower(f.body->'place'->>'nodeId')))
WHERE f.body->'place'->>'nodeId' LIKE 'name:%' AND f.body->'place'->>'nodeId' <> lower(f.body->'place'->>'nodeId')
  AND NOT EXISTS (SELECT 1 FROM fleet_node n WHERE n.machine_id IS NULL AND 'name:' || n.host = f.body->'place'->>'nodeId');

UPDATE replay r SET node_id = lower(r.node_id)
WHERE r.node_id LIKE 'name:%' AND r.node_id <> lower(r.node_id)
  AND NOT EXISTS (SELECT 1 FROM fleet_node n WHERE n.machine_id IS NULL AND 'name:' || n.host = r.node_id);
