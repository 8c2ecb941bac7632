"""What Alembic runs for every command: migrations on the connection that `migrate.py` has opened."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=context.config.attributes["metadata"],
    # That of SQLite is as well, where a transaction has begun.
    transactional_ddl=True,
    # SQLite cannot change columns: Alembic copies the table.
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
