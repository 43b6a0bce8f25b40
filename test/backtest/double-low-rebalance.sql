-- One rebalance of "double low" by hand: what is decided at the close of one day is filled at the open of the next.
-- The rules stand here as numbers: price + 0.2 x premium; 5 places, kept within rank 8; lots of 10 bonds; a tick of 0.001 yuan; limits of 20 %;
-- at most a tenth of the volume (in lots of 10); commission 0.02 % and at least 1 yuan. Prices are in mills, money is in fen,
-- premiums in ten-thousandths of a percent.
CREATE OR REPLACE TEMP TABLE rebalance AS
WITH RECURSIVE
ranked AS (
  SELECT code, row_number() OVER (ORDER BY 50 * close + premium, code) AS rank, code IN (FROM (SELECT code FROM holdings)) AS held
  FROM bonds
  WHERE day = (SELECT decided FROM step) AND volume > 0 AND premium IS NOT NULL AND listed_days > 5
),
kept AS (SELECT code, rank FROM ranked WHERE held AND rank <= 8 ORDER BY rank LIMIT 5),
added AS (
  SELECT code, rank FROM ranked WHERE NOT held ORDER BY rank LIMIT (SELECT 5 - count(*) FROM kept)
),
targets AS (FROM kept UNION ALL FROM added),
last_close AS (SELECT code, arg_max(close, day) AS close FROM bonds WHERE day < (SELECT filled FROM step) GROUP BY code),
quotes AS (
  SELECT code, today.open, coalesce(today.open, last_close.close) AS sized, today.volume // 10 * 10 AS lots, today.volume,
    greatest((today.pre_close * 12 + 5) // 10, today.pre_close + 1) AS up,
    least((today.pre_close * 8 + 5) // 10, today.pre_close - 1) AS down
  FROM last_close LEFT JOIN (FROM bonds WHERE day = (SELECT filled FROM step)) AS today USING (code)
),
worth AS (
  SELECT (FROM cash) + coalesce(sum((shares * sized + 5) // 10), 0)::BIGINT AS fen FROM holdings JOIN quotes USING (code)
),
moves AS (
  SELECT code, rank, coalesce(shares, 0) AS had,
    CASE WHEN rank IS NULL THEN 0 ELSE (FROM worth) * 10 // (5 * sized * 10) * 10 END AS aim
  FROM holdings FULL JOIN targets USING (code) JOIN quotes USING (code)
),
orders AS (
  SELECT code, rank, had, abs(aim - had) AS wanted, CASE WHEN aim < had THEN 'sell' ELSE 'buy' END AS side,
    open, up, down, volume // 10 AS room,
    CASE WHEN open IS NULL THEN 'suspended' WHEN volume = 0 THEN 'volume'
      WHEN aim > had AND open >= up THEN 'limit-up' WHEN aim < had AND open <= down THEN 'limit-down' END AS forbidden
  FROM moves JOIN quotes USING (code)
  WHERE abs(aim - had) >= 10
),
sold AS (
  SELECT *, greatest(down, open - 1) AS price,
    CASE WHEN forbidden IS NOT NULL THEN 0
      WHEN least(wanted, room) = had THEN had ELSE least(wanted, room) // 10 * 10 END AS shares,
    coalesce(forbidden, CASE WHEN room < wanted THEN 'volume' END) AS reason
  FROM orders WHERE side = 'sell'
),
proceeds AS (
  SELECT coalesce(sum(amount - greatest(100, (amount * 2 + 5000) // 10000)), 0)::BIGINT AS fen
  FROM (SELECT (shares * price + 5) // 10 AS amount FROM sold WHERE shares > 0)
),
queue AS (
  SELECT *, least(up, open + 1) AS price, row_number() OVER (ORDER BY rank) AS place,
    CASE WHEN forbidden IS NULL THEN least(wanted, room // 10 * 10) ELSE 0 END AS possible
  FROM orders WHERE side = 'buy'
),
bought AS (
  SELECT 0::BIGINT AS place, (FROM cash) + (FROM proceeds) AS left_over, NULL::VARCHAR AS code, 0::BIGINT AS shares, NULL::VARCHAR AS cut
  UNION ALL
  SELECT place, (left_over - (shares * price + 5) // 10
      - CASE WHEN shares = 0 THEN 0 ELSE greatest(100, ((shares * price + 5) // 10 * 2 + 5000) // 10000) END),
    code, shares, CASE WHEN shares < possible THEN 'cash' END
  FROM (
    SELECT queue.place, left_over, queue.code, coalesce(price, 0) AS price, possible,
      coalesce(list_max(list_filter(range(0, possible + 1, 10), lambda n:
        (n * price + 5) // 10 + greatest(100, ((n * price + 5) // 10 * 2 + 5000) // 10000) <= left_over)), 0) AS shares
    FROM bought JOIN queue ON queue.place = bought.place + 1
  )
)
SELECT 0 AS batch, row_number() OVER (ORDER BY code) AS place, code, side, wanted, shares, price, reason FROM sold
UNION ALL
SELECT 1, queue.place, code, side, wanted, bought.shares, price,
  coalesce(forbidden, cut, CASE WHEN possible < wanted THEN 'volume' END)
FROM queue JOIN bought USING (code)
