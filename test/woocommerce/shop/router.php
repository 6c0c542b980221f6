<?php
/**
 * Shop for tests: loads the plugin like WordPress, and serves its routes and the actions of people.
 * Run it by `php -S`. SHOP_DIR is the folder of its data, PLUGIN_MAIN the file of the plugin.
 */

declare(strict_types=1);

define( 'ABSPATH', __DIR__ );
define( 'DB_NAME', 'shop' );
define( 'PLUGIN_MAIN', getenv( 'PLUGIN_MAIN' ) );
error_reporting( E_ALL );
set_error_handler(
	static function ( int $level, string $message, string $file, int $line ): never {
		throw new ErrorException( $message, 0, $level, $file, $line );
	}
);

require __DIR__ . '/store.php';
require __DIR__ . '/wordpress.php';
require __DIR__ . '/orders.php';
require __DIR__ . '/woocommerce.php';
require __DIR__ . '/acts.php';

$GLOBALS['wpdb']         = new Shop_Wpdb();
$GLOBALS['shop_notices'] = array();
$GLOBALS['shop_errors']  = array();
/** What another request does before this one gets its first lock. */
$GLOBALS['shop_meanwhile'] = null;

require PLUGIN_MAIN;
do_action( 'before_woocommerce_init' );
do_action( 'plugins_loaded' );
do_action( 'init' );

$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( 1 === preg_match( '~^/wc-api/(\w+)/?$~', $path, $found ) ) {
	do_action( "woocommerce_api_{$found[1]}" );
	http_response_code( 400 );
	exit;
}
if ( 1 === preg_match( '~^/act/(\w+)$~', $path, $found ) ) {
	$asked = json_decode( (string) file_get_contents( 'php://input' ), true );
	header( 'Content-Type: application/json' );
	echo json_encode( ( new Shop_Acts() )->{$found[1]}( $asked ) );
	exit;
}
echo esc_html( $path );
