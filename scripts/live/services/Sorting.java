import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;

/** /COUNT makes so many numbers, sorts them, and says the median. Arguments: port and threads. */
public final class Sorting {
    public static void main(String[] arguments) throws Exception {
        var address = new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        var server = HttpServer.create(address, 1024);
        server.setExecutor(Executors.newFixedThreadPool(Integer.parseInt(arguments[1])));
        server.createContext("/", exchange -> {
            int count = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            var random = new SplittableRandom(count);
            var numbers = new Long[count];
            for (int i = 0; i < count; i++) {
                numbers[i] = random.nextLong();
            }
            Arrays.sort(numbers);
            byte[] body = numbers[count / 2].toString().getBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
