-- The roles and the database of compose.yaml. PostgreSQL runs this file once, when its volume is new.
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD
CREATE ROLE wholesale_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE wholesale_service LOGIN PASSWORD :'service_password';
CREATE DATABASE wholesale OWNER wholesale_owner;
