<?php
/**
 * Data of the shop in SQLite: options, orders, notes and log. Locks are files.
 */

declare(strict_types=1);

/** One database for all processes of the shop. */
final class Shop_Store {

	private static ?PDO $pdo = null;

	/** Its rows. @return array<int,array<string,mixed>> */
	public static function rows( string $sql, mixed ...$values ): array {
		$statement = self::pdo()->prepare( $sql );
		$statement->execute( $values );
		return $statement->fetchAll( PDO::FETCH_ASSOC );
	}

	/** The number that the newest row got. */
	public static function insert( string $sql, mixed ...$values ): int {
		self::rows( $sql, ...$values );
		return (int) self::pdo()->lastInsertId();
	}

	/** Writes a line that tests read. */
	public static function log( string $level, string $line ): void {
		self::rows( 'insert into log (level, line) values (?, ?)', $level, $line );
	}

	private static function pdo(): PDO {
		if ( null === self::$pdo ) {
			self::$pdo = new PDO( 'sqlite:' . getenv( 'SHOP_DIR' ) . '/shop.sqlite', null, null, array( PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION ) );
			self::$pdo->exec( 'pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = off' );
			self::$pdo->exec(
				'create table if not exists options (name text primary key, value text);
				create table if not exists orders (id integer primary key autoincrement, parent integer not null default 0);
				create table if not exists props (id integer, name text, value text, primary key (id, name));
				create table if not exists meta (id integer, name text, value text, primary key (id, name));
				create table if not exists notes (id integer, note text);
				create table if not exists log (level text, line text)'
			);
		}
		return self::$pdo;
	}
}

/** The two statements of MySQL that the plugin sends by itself. */
final class Shop_Wpdb {

	public string $prefix = 'wp_';

	/** @var array<string,resource> */
	private array $held = array();

	/** As WordPress does it, for %s and %d. */
	public function prepare( string $sql, mixed ...$values ): string {
		return vsprintf( str_replace( '%s', "'%s'", $sql ), $values );
	}

	/** The value of the only column of the only row. */
	public function get_var( string $sql ): ?string {
		if ( 1 === preg_match( "/^SELECT GET_LOCK\('(\w+)', (\d+)\)$/", $sql, $asked ) ) {
			$meanwhile                 = $GLOBALS['shop_meanwhile'];
			$GLOBALS['shop_meanwhile'] = null;
			null === $meanwhile || $meanwhile();
			return $this->acquire( $asked[1], (int) $asked[2] ) ? '1' : '0';
		}
		if ( 1 === preg_match( "/^SELECT RELEASE_LOCK\('(\w+)'\)$/", $sql, $asked ) ) {
			fclose( $this->held[ $asked[1] ] );
			unset( $this->held[ $asked[1] ] );
			return '1';
		}
		throw new Exception( "The shop's database does not know: $sql" );
	}

	private function acquire( string $name, int $seconds ): bool {
		$file = fopen( getenv( 'SHOP_DIR' ) . "/$name.lock", 'c' );
		$end  = microtime( true ) + $seconds;
		while ( ! flock( $file, LOCK_EX | LOCK_NB ) ) {
			if ( microtime( true ) > $end ) {
				return false;
			}
			usleep( 5000 );
		}
		$this->held[ $name ] = $file;
		return true;
	}
}
