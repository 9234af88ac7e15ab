-- One row, seeded from the WhiteLabel settings at the first start; null follows the setting.
CREATE TABLE portal.branding (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  application_name text,
  logo_url text,
  primary_color text,
  secondary_color text,
  accent_color text,
  footer_text text
);
