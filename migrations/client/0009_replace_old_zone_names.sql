-- Names that Intl takes and Temporal refuses were accepted once; each becomes the zone that Intl showed for it.
UPDATE monitoring.municipalities m SET time_zone = zones.current
FROM (VALUES
  ('ACT', 'Australia/Darwin'), ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'),
  ('ART', 'Africa/Cairo'), ('AST', 'America/Anchorage'), ('BET', 'America/Sao_Paulo'), ('BST', 'Asia/Dhaka'),
  ('CAT', 'Africa/Maputo'), ('CNT', 'America/St_Johns'), ('CST', 'America/Chicago'), ('CTT', 'Asia/Shanghai'),
  ('EAT', 'Africa/Nairobi'), ('ECT', 'Europe/Paris'), ('IET', 'America/Indiana/Indianapolis'), ('IST', 'Asia/Kolkata'),
  ('JST', 'Asia/Tokyo'), ('MIT', 'Pacific/Apia'), ('NET', 'Asia/Yerevan'), ('NST', 'Pacific/Auckland'),
  ('PLT', 'Asia/Karachi'), ('PNT', 'America/Phoenix'), ('PRT', 'America/Puerto_Rico'), ('PST', 'America/Los_Angeles'),
  ('SST', 'Pacific/Guadalcanal'), ('VST', 'Asia/Ho_Chi_Minh'), ('US/Pacific-New', 'America/Los_Angeles'),
  ('SystemV/AST4', 'America/Puerto_Rico'), ('SystemV/AST4ADT', 'America/Halifax'), ('SystemV/EST5', 'America/Panama'),
  ('SystemV/EST5EDT', 'America/New_York'), ('SystemV/CST6', 'America/Regina'), ('SystemV/CST6CDT', 'America/Chicago'),
  ('SystemV/MST7', 'America/Phoenix'), ('SystemV/MST7MDT', 'America/Denver'), ('SystemV/PST8', 'Pacific/Pitcairn'),
  ('SystemV/PST8PDT', 'America/Los_Angeles'), ('SystemV/YST9', 'Pacific/Gambier'),
  ('SystemV/YST9YDT', 'America/Anchorage'), ('SystemV/HST10', 'Pacific/Honolulu')
) AS zones (old, current)
WHERE lower(m.time_zone) = lower(zones.old);
